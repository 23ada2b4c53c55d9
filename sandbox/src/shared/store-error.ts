/** Something could not be stored, so it was not done; its message says why, and what to do. */
export class StoreError extends Error {}
