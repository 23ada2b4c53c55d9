export declare const SANDBOX: string;
export declare const SANDBOX_ROOMS: Readonly<Record<string, readonly string[]>>;
