-- Up Migration

-- The second that the request was signed for, by the sender's clock; null for older attempts.
alter table attempt add column signed_at timestamptz;

-- The incident that the owner was last mailed about; null before the first mail.
alter table endpoint add column mailed_about text;
