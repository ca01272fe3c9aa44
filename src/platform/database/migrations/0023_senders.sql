-- Up Migration

-- Finds the accounts that send as an agent.
create index request_log_sender on request_log (lower(from_agent), account_id)
  where from_agent is not null and code = 'ok';
