/** Replaces `{names}` in a text with values. */
export const fillText = (text: string, values: Readonly<Record<string, string | number | null>>) =>
  text.replaceAll(/\{(\w+)\}/g, (part, name) => String(name in values ? values[name] : part))
