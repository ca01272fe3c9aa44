-- Up Migration

-- Words of test venues would correct typos in searches of live ones.
create or replace function learn_words() returns trigger language plpgsql as $$
begin
  insert into venue_word (word, in_name)
  select word, bool_or(in_name)
  from (
    select unnest(string_to_array(plain_name, ' ')) as word, true as in_name from written
    where not is_test
    union all
    select unnest(tsvector_to_array(document)), false from written where not is_test
  ) as found
  where word <> ''
  group by word
  order by word
  on conflict (word) do update set in_name = true
    where excluded.in_name and not venue_word.in_name;
  return null;
end $$;

-- How often the built-in system of test venues was asked about a booking, and to withdraw it.
create table sandbox_call (
  booking_id uuid not null references booking,
  is_cancel boolean not null,
  calls integer not null check (calls > 0),
  first_at timestamptz not null,
  primary key (booking_id, is_cancel)
);
create index on sandbox_call (first_at);

-- What a test venue will say by itself, once it is due: deleted when it has.
create table sandbox_reply (
  booking_id uuid not null references booking,
  status text not null,
  reason text,
  offered_slot_time timestamp,
  account_id uuid not null references account,
  due_at timestamptz not null,
  primary key (booking_id, status)
);
create index on sandbox_reply (due_at);
create index on sandbox_reply (account_id, due_at);
