-- Up Migration

-- What operators look for: rare rows, so most of these cost other work nothing.
alter table account validate constraint account_suspension;
create index account_by_name on account (lower(name) text_pattern_ops);
create index account_suspended on account (id desc) where suspended_at is not null;
create index api_key_hint on api_key (hint);
create index booking_answer_due on booking (answer_by)
  where status = 'pending' or change_phase is not null;
create index booking_given_up on booking (updated_at) where venue_sync = 'given_up';
create index command_failed on command (created_at) where failures > 0;
create index endpoint_in_trouble on endpoint (failing_since, id)
  where deleted_at is null and (failing_since is not null or status = 'disabled');
