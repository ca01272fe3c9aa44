import * as ui from '../../page/components.ts'

/** The addresses in a field, separated by spaces, commas or semicolons. */
export const ipsIn = (text = ''): string[] => text.split(/[\s,;]+/).filter((one) => one !== '')

/** The field for the addresses from which a key can be used, with an error if any. */
export const ipsField = (value?: string, error?: string) =>
  ui.field(
    'Allowed IP addresses',
    { name: 'ips', value, error, autocomplete: 'off', maxlength: 2_500 },
    'Addresses or CIDR ranges, such as 203.0.113.7, 2001:db8::/32. Leave empty for any.',
  )

/** The field for a key's name, with an error if any. */
export const nameField = (value?: string, hint?: string, error?: string) => {
  const input = { name: 'name', value, error, required: true, maxlength: 100, autocomplete: 'off' }
  return ui.field('Name', input, hint)
}

/** How many hours the old key stays valid. */
export const overlaps = {
  '24': '1 day',
  '0': 'no overlap: it ends now',
  '1': '1 hour',
  '72': '3 days',
  '168': '7 days',
}

/** The question asked before a key is rolled without an overlap. */
export const rollQuestion = {
  title: 'Roll the key without an overlap?',
  text:
    'The old key ends now: every request with it is refused until you have replaced it. This ' +
    'cannot be undone.',
  button: 'Roll and end the old key',
}
