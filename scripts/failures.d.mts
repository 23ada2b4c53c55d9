export declare function showCommand(command: string, args: readonly string[]): string;

export declare function describeFailure(run: {
  results: { testResults: readonly { name: string; status: string }[] } | undefined;
  error: Error;
  folder: string;
  command: string;
}): string;
