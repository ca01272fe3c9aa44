-- Up Migration

-- `agent_name` says who sends as an agent; the index on the log costs each call something.
drop index request_log_sender;
