-- Up Migration

-- Tables of one group can be joined for a party that is too large for any of them; the rules say how many.
alter table resource add column joins text check (length(joins) between 1 and 60);

-- A date has one exception per venue, area or country: entering it again replaces it. Of two, the lower id was in force.
delete from day_exception e using day_exception other
where e.date = other.date and e.id > other.id
  and e.venue_id is not distinct from other.venue_id
  and e.area_slug is not distinct from other.area_slug
  and e.country is not distinct from other.country;
create unique index day_exception_of_venue on day_exception (venue_id, date)
  where venue_id is not null;
create unique index day_exception_of_area on day_exception (area_slug, date)
  where area_slug is not null;
create unique index day_exception_of_country on day_exception (country, date)
  where country is not null;
