/** The system of a process, as `process` tells it. */
interface System {
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
}
export declare function npm(args: readonly string[], system?: System): [program: string, args: string[]];
export declare function npx(args: readonly string[], system?: System): [program: string, args: string[]];
