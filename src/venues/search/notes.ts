import type { Lexicon } from './lexicon.ts'
import { readTable } from './read-table.ts'

const rows = readTable('diets.tsv', ([list = '', words = '']) => ({ list, words }))
const anyOf = (wanted: 'ingredient' | 'allergy' | 'mild' | 'diet' | 'terms') =>
  `(?:${rows.flatMap(({ list, words }) => (list === wanted ? [words] : [])).join('|')})`

const ingredient = anyOf('ingredient')
const ingredients = new RegExp(`\\b${ingredient}\\b`, 'g')
const listOf = (item: string) =>
  `\\b${item}(?:(?:\\s*[,&/]\\s*|\\s+)(?:(?:and|or|nor|dan|atau)\\s+)?` +
  `(?:(?:no|any|without|tanpa)\\s+)*\\b${item})*`
const list = listOf(`${ingredient}\\b`)
/** "No seafood, peanut allergy" are two notes. */
const unwanted = listOf(`${ingredient}\\b(?![ -](?:allerg|intoleran|free\\b))`)
const unnamed = '(?!(?:an?|any|my|has|have|had|with|is|am|im|the|no|our|her|his|to|and)\\b)'

/**
 * What a guest cannot or will not eat, and terms such as "no cover charge": search cannot check it,
 * so the venue has to be told.
 */
const pattern = new RegExp(
  [
    `\\b(?:severe(?:ly)?|highly|very) (?:allergic|allergy|allergies)(?: to ${list})?`,
    '\\b(?:(?:is|am|are|im) )?(?:allergic|intolerant|alergi)(?: to| terhadap| sama)? ' +
      `(?:${list}|${unnamed}\\p{L}+)`,
    `(?:\\b(?:severe|serious|strong|bad|mild) )?(?:${list}|\\b${unnamed}\\p{L}{3,}) ` +
      'allerg(?:y|ies|ic|en|ens)\\b(?:[ -](?:safe|friendly))?',
    `${list}[ -](?:free|intolerant|intolerance)\\b`,
    `\\b${anyOf('mild')}\\b`,
    `\\b${anyOf('allergy')} (?:(?:any|the|too|much|yang)\\s+)*${unwanted}`,
    `\\b(?:food )?allerg(?:y|ies|ic)\\b|\\balergi\\b`,
    `\\b${anyOf('terms')}\\b`,
    `\\b${anyOf('diet')}\\b(?:[ -](?:safe|friendly))?`,
  ].join('|'),
  'gu',
)

/**
 * Reads allergies and what is not eaten as notes for the venue. What the network knows by name, as
 * seafood, stays in the text as an exclusion, and a diet that venues state, as gluten free.
 */
export function readNotes(text: string, { meanings }: Lexicon): { notes: string[]; rest: string } {
  const isKnown = (word: string) => {
    const meaning = meanings.get(word)
    return meaning?.is === 'kind' && meaning.term?.includes(word)
  }
  const notes: string[] = []
  const rest = text.replace(pattern, (said) => {
    notes.push(said.trim().replace(/[ -](?:safe|friendly)$/, ''))
    const known = [...new Set(said.match(ingredients) ?? [])].filter(isKnown)
    return [
      ' ',
      ...known.map((word) => `no ${word}`),
      ...(isGluten.test(said) ? ['gluten free'] : []),
      ' ',
    ].join(' ')
  })
  const isFact = (word: string) => meanings.has(`${word} free`)
  return {
    notes,
    rest: rest.replace(/\b(\p{L}+)-free\b/gu, (all, word) => (isFact(word) ? all : `no ${word}`)),
  }
}

const isGluten = /\bgluten|\bco?eliac/
