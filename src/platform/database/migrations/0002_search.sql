-- Up Migration

create extension if not exists btree_gin;

-- Distances -------------------------------------------------------------------------------------

-- Mercator keeps the shape of small regions at any latitude, so that the nearest points here are the nearest places.
create function map_point(longitude double precision, latitude double precision) returns point
language sql immutable strict parallel safe
return point(longitude, degrees(ln(tan(radians(45 + least(greatest(latitude, -85), 85) / 2)))));

alter table venue add column spot point not null
  generated always as (map_point(longitude, latitude)) stored;

-- How far a venue is from the centre of its area, in degrees of that map: the order of an area's venues.
alter table venue add column off_centre double precision;

create function place_venue() returns trigger language plpgsql as $$
begin
  select map_point(new.longitude, new.latitude) <-> map_point(a.longitude, a.latitude)
    into new.off_centre from area a where a.slug = new.area_slug;
  return new;
end $$;

update venue v
set off_centre = v.spot <-> map_point(a.longitude, a.latitude)
from area a where a.slug = v.area_slug;
alter table venue alter column off_centre set not null;

create trigger place before insert or update of area_slug, latitude, longitude on venue
  for each row execute function place_venue();

drop index venue_category_area_slug_slug_idx;
drop index venue_area_slug_slug_idx;
create index venue_of_kind_in_area on venue (category, area_slug, off_centre, slug);
create index venue_in_area on venue (area_slug, off_centre, slug);
create index venue_of_kind on venue (category, off_centre, slug);
create index venue_near on venue using gist (category, spot);

-- Names and words -------------------------------------------------------------------------------

-- A name as queries are compared with it: the words of plain-text.ts, separated by spaces.
create function plain_words(name text) returns text
language sql immutable strict parallel safe
return btrim(regexp_replace(replace(lower(
    regexp_replace(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f''’]', '', 'g'),
      '[[:space:][:punct:]]+', ' ', 'g')), 'đ', 'd'), '[[:space:]]+', ' ', 'g'));

alter table venue add column plain_name text not null
  generated always as (plain_words(name)) stored;
create index on venue (plain_name);

-- Facets and words in one index, so that a word of everybody's is looked for in the area alone.
drop index venue_document_idx;
create index venue_document on venue using gin (category, area_slug, document);

-- Every word of any venue, as it is written in names and as the text search stems it: what is never a mistake, and what
-- a mistake may have meant. A word stays when its last venue goes.
create table venue_word (
  word text primary key,
  in_name boolean not null
);
create index on venue_word using gist (word gist_trgm_ops(siglen = 64)) where in_name;

create function learn_words() returns trigger language plpgsql as $$
begin
  insert into venue_word (word, in_name)
  select word, bool_or(in_name)
  from (
    select unnest(string_to_array(plain_name, ' ')) as word, true as in_name from written
    union all
    select unnest(tsvector_to_array(document)), false from written
  ) as found
  where word <> ''
  group by word
  order by word
  on conflict (word) do update set in_name = true
    where excluded.in_name and not venue_word.in_name;
  return null;
end $$;

create trigger learn_new after insert on venue
  referencing new table as written for each statement execute function learn_words();
create trigger learn_changed after update on venue
  referencing new table as written for each statement execute function learn_words();

insert into venue_word (word, in_name)
select word, bool_or(in_name)
from (
  select unnest(string_to_array(plain_name, ' ')) as word, true as in_name from venue
  union all
  select unnest(tsvector_to_array(document)), false from venue
) as found
where word <> ''
group by word;
