/** A chat model that follows a script: the one thing that can't be had for real. It speaks OpenAI's chat completions. */
import { createServer } from 'node:http';

/** A turn of the script: the tools that the model asks for, each with its arguments, or its last word. */
function choiceOf(turn, number) {
  if (typeof turn === 'string') return { message: { role: 'assistant', content: turn }, finish_reason: 'stop' };
  const calls = turn.map(([name, given], index) => ({
    id: `call_${number}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
  return { message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' };
}

/**
 * Starts it on this machine. `script(...turns)` says what it answers, one turn a request; `answers()` gives what the tools
 * told it, in the order of its calls; `tools()` names the tools that it may ask for.
 */
export async function startModel() {
  let turns = [];
  let asked = 0;
  let messages = [];
  let tools = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    ({ messages = [], tools = [] } = JSON.parse(body));
    const turn = turns[asked++];
    const reply =
      turn === undefined
        ? { error: { message: 'The script is over.' } }
        : {
            id: `chat-${asked}`,
            object: 'chat.completion',
            created: 0,
            model: 'scripted',
            choices: [{ index: 0, ...choiceOf(turn, asked) }],
            usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
          };
    response
      .writeHead(turn === undefined ? 400 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    script: (...given) => {
      turns = given;
      asked = 0;
    },
    answers: () =>
      messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
    tools: () => tools.map((tool) => tool.function.name),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
