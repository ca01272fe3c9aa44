import { refusal } from './error-spec.ts'

/** Errors on pages for people: forms, links in mails, sign-in. */
export const accountErrors = {
  form_incomplete: refusal(
    400,
    'The form is incomplete',
    'Correct the marked fields and send it again.',
  ),
  sign_in_failed: refusal(
    401,
    'Wrong email address or password',
    'Try again, or reset your password.',
  ),
  wrong_password: refusal(403, 'This is not your password', 'Nothing was changed. Try again.'),
  page_not_found: refusal(404, 'There is no such page', 'Choose a page from the navigation.'),
  link_already_used: refusal(
    410,
    'This link is no longer good',
    'Links in mails work once and for a limited time. Request a new one.',
  ),
  too_many_tries: refusal(429, 'Too many attempts', 'Wait and try again.', true),
}
