-- Up Migration

-- Mails to several people: who has theirs while another cannot be sent.
create table sent_mail (
  id uuid primary key,
  sent_at timestamptz not null
);
