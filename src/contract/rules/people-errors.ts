import { refusal } from './error-spec.ts'

/** What people meet on pages: forms, links in mails, signing in. */
export const peopleErrors = {
  form_incomplete: refusal(
    400,
    'The form is not filled in as it should be',
    'Correct it and send it again.',
  ),
  sign_in_failed: refusal(
    401,
    'Address and password do not belong together',
    'Try again, or have a link sent to you that sets a new password.',
  ),
  wrong_password: refusal(403, 'This is not your password', 'Nothing was changed. Try again.'),
  page_not_found: refusal(404, 'There is no such page', 'Choose a page from the navigation.'),
  link_spent: refusal(
    410,
    'This link is no longer good',
    'A link in a mail is good once and for a while: have a new one sent.',
  ),
  too_many_tries: refusal(429, 'Too many tries', 'Wait until then and try again.', true),
}
