import { refusals } from './error-spec.ts'

/** API keys, plans and quotas. */
export const keyErrors = {
  ...refusals(401, {
    unauthenticated:
      'A valid API key is required. Send `Authorization: Bearer <API_KEY>` with a key that is ' +
      'neither revoked nor expired.',
  }),
  ...refusals(403, {
    account_suspended:
      'This account is suspended. Contact the operator of this network and quote `account_id`; ' +
      '`reason` says why. Its bookings go on and its events are delivered.',
    plan_required:
      'This needs the pro tier. Ask your user first, as pro costs money, then repeat the request.',
    scope_required:
      'This key lacks a scope. Use a key of the account that has `required_scope`, or create one.',
    live_key_required:
      'This needs a live key: a test key meets test venues only. Use a key whose `mode` is ' +
      '`live`, from `GET /api/keys` with a live key, or from the dashboard.',
    address_not_allowed:
      'The address is not on the list of the key. Call from an address in its `allowed_ips`, or ' +
      'change the list on the page of the key in the dashboard.',
    email_unverified:
      'The email address of this account is not verified. Open the link in the mail that it was ' +
      'sent, or have a new one sent on the account page of the dashboard, then repeat the ' +
      'request. If no mail arrives, the operator of this network can verify it: quote ' +
      '`account_id`.',
    upgrade_by_operator:
      'Only the operator can move accounts to pro here. Contact the operator of this network ' +
      'and quote `account_id`.',
  }),
  ...refusals(404, {
    key_not_found:
      'No such key in this account. Use a key `id` from `GET /api/keys`, not the raw key.',
    invoice_not_found: 'No such invoice in this account. Use an `id` from `GET /api/invoices`.',
    request_not_found:
      'No such request in this account. Requests are kept for 7 days and appear within two ' +
      'seconds. Equal refusals by a limit within a second have one entry: find it by time in ' +
      '`GET /api/requests`.',
  }),
  ...refusals(409, {
    key_ended: 'The key is revoked or expired. Create another one: POST /api/keys.',
    key_replaced:
      'The key has already been rolled. Use or roll its successor, the key named in `replaced_by`.',
    key_limit: 'Too many valid keys. Revoke a key that you no longer need, then try again.',
  }),
  ...refusals(429, {
    account_rate_limited:
      'The account sends requests too fast. Spread them out, and repeat this one after ' +
      'Retry-After.',
    too_many_in_flight:
      'Too many requests of this account are in flight. Wait for their answers before you send ' +
      'more, and repeat this one after Retry-After.',
    quota_exceeded:
      'The daily quota is used up. Wait until it renews (see Retry-After), or move the account ' +
      'to pro.',
  }),
}

/** Agents that developers register. */
export const agentErrors = {
  ...refusals(403, {
    agent_mismatch:
      'This agent belongs to another account. Omit `from`, send an unregistered name, or use a ' +
      'key of the account that registered it.',
  }),
  ...refusals(404, {
    agent_not_found:
      'No such agent. Use the name of one of your own agents, or one from ' +
      '`GET /api/agents/public`.',
  }),
  ...refusals(409, {
    agent_name_taken:
      'The name is already registered. Choose another name. To change your own agent, use ' +
      '`PATCH /api/agents/{name}`.',
    agent_limit:
      'The account has reached its limit of agent names. Reuse one of its names; deleted ones ' +
      'can be registered again. Nothing was changed.',
  }),
  ...refusals(422, {
    agent_taken_down:
      'An operator has taken the agent down. It can be private; ask the operator of this network.',
    agent_name_reserved:
      'The name is reserved for the network, its operators or examples. Choose another name.',
  }),
}

/** Pages for people: forms, links in mails, sign-in. */
export const pageErrors = {
  ...refusals(400, {
    form_incomplete: 'The form is incomplete. Correct the marked fields and send it again.',
  }),
  ...refusals(401, {
    sign_in_failed: 'Wrong email address or password. Try again, or reset your password.',
  }),
  ...refusals(403, { wrong_password: 'Wrong password. Nothing was changed. Try again.' }),
  ...refusals(403, {
    role_required:
      'Your role in this account does not allow this. Ask an owner of the account to do it, or ' +
      'to change your role on the members page.',
    other_account:
      'The page was of another account than the one that is open now, so nothing was done. ' +
      'Switch to the account that you meant, open the page again and send the form from there.',
    other_address:
      'The invitation is for another email address. Sign out, open the link again, and sign in ' +
      'or sign up with the address that it was sent to.',
  }),
  ...refusals(409, {
    last_owner:
      'An account needs an owner. Make another member owner first, or delete the account.',
    member_exists:
      'This address is a member of the account already. Change its role in the list of members.',
    member_limit: 'The account has too many members. Remove a member or revoke an invitation.',
    mails_not_sent:
      'This network sends no email, so it cannot invite anybody. Ask its operator to set up mail.',
  }),
  ...refusals(404, { page_not_found: 'There is no such page. Choose one from the navigation.' }),
  ...refusals(410, {
    link_already_used:
      'This link is no longer valid. Links in mails work once and for a limited time. Request a ' +
      'new one.',
  }),
  ...refusals(429, { too_many_tries: 'Too many attempts. Wait and try again.' }),
}
