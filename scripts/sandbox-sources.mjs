/** Starts the sandbox from its TypeScript; scripts/typescript.mjs is imported before. */
import { main } from '../sandbox/src/cli/main.ts';

await main(process.argv.slice(2));
