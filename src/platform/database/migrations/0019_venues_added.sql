-- Up Migration

-- Every venue that there is, for the feed: apart from its tables, whose references keep writers of venues back until they are
-- committed. A venue that is added in between may be noted twice; it is published once.
insert into venue_added (venue_id, hour)
  select id, date_trunc('hour', created_at, 'UTC') from venue order by created_at, slug;
