export function tokensShown(tools: readonly object[]): number;
