/** Judges the sum of several prices once for each frame: amid a frame, some prices are new and some old, and their sum never was. */

/**
 * Returns a function to call at each price of the stream. The judgement follows once all prices of the frame are there: a frame is
 * delivered in one turn of the event loop.
 * @param judge adds the prices up.
 * @param fail receives an error of the judgement.
 */
export function oncePerFrame(judge: () => void, fail: (error: unknown) => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      try {
        judge();
      } catch (error) {
        fail(error);
      }
    });
  };
}
