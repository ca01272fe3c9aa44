import { z } from 'zod'
import { SANDBOX_AREA } from '../../base/sandbox.ts'
import { text } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** The plain words that occur in any venue's name, tags or description, in any form. */
export function selectKnownWords(
  db: Db,
  words: readonly string[],
  isTest = false,
): Promise<string[]> {
  if (isTest) return selectWordsOfTests(db, words)
  return query.values(db, text)`
    select word from unnest(${words}::text[]) as asked (word)
    where exists (select from venue_word k where k.word = asked.word)
      or exists (select from venue_word k
        where k.word = any(tsvector_to_array(to_tsvector('english', asked.word))))`
}

/** Words of test venues, of which there are few; the words of all venues do not include them. */
const selectWordsOfTests = (db: Db, words: readonly string[]): Promise<string[]> =>
  query.values(db, text)`
    select word from unnest(${words}::text[]) as asked (word)
    where exists (select from venue v
      where v.is_test and v.area_slug = ${SANDBOX_AREA}
        and v.document @@ plainto_tsquery('english', asked.word))`

/** Transposed letters leave few shared trigrams, so read many candidates. */
const SIMILAR = 48
const similarRow = z.object({ asked: z.string(), word: z.string() })

/** For each word, the words in venue names of similar length that share most trigrams with it. */
export const selectSimilarWords = (db: Db, words: readonly string[]) =>
  query.rows(db, similarRow)`
    select asked.word as asked, near.word
    from unnest(${words}::text[]) as asked (word)
    cross join lateral (
      select k.word from venue_word k where k.in_name order by k.word <-> asked.word
        limit ${SIMILAR}
    ) as near
    where abs(length(near.word) - length(asked.word)) <= 2`
