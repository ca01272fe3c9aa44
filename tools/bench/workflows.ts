/** The baseline of the engine: one workflow task that does nothing. */
export async function empty(): Promise<void> {}
