export declare const SANDBOX: string;
export declare const SANDBOX_ROOMS: Readonly<Record<string, readonly string[]>>;
export declare const LAYERS: Readonly<Record<string, readonly string[]>>;
export declare const REFUSED: readonly { from: RegExp; to: RegExp; why: string }[];
