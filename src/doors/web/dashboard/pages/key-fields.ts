import * as ui from '../../components.ts'

/** The addresses of a field, which may be separated by anything but their characters. */
export const ipsIn = (text = ''): string[] => text.split(/[\s,;]+/).filter((one) => one !== '')

/** The addresses that may use a key, and what is wrong with them. */
export const ipsField = (value?: string, error?: string) =>
  ui.field(
    'Allowed IP addresses',
    { name: 'ips', value, error, autocomplete: 'off', maxlength: 2_500 },
    'Addresses or CIDR ranges, such as 203.0.113.7, 2001:db8::/32. Leave empty for any.',
  )

/** The name of a key, and what is wrong with it. */
export const nameField = (value?: string, hint?: string, error?: string) => {
  const input = { name: 'name', value, error, required: true, maxlength: 100, autocomplete: 'off' }
  return ui.field('Name', input, hint)
}
