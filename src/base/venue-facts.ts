import texts from './venue-facts.json' with { type: 'json' }

export type FactName = keyof typeof texts
/** The known facts about a venue; an absent fact is unknown. */
export type VenueFacts = { [N in FactName]?: 'yes' | 'no' }
/** A fact that a guest needs, such as smoking: no. */
export type NeededFact = { name: FactName; is: 'yes' | 'no' }

export const factNames = Object.keys(texts) as [FactName, ...FactName[]]

/** The names that calls use for needed facts; with `no_`, the venue must not have the fact. */
export const neededFactNames = [...factNames, 'no_smoking', 'no_alcohol'] as const

/** The fact of that name. */
export function neededFact(text: string): NeededFact | undefined {
  const name = factNames.find((one) => one === text.replace(/^no_/, ''))
  return name && { name, is: text.startsWith('no_') ? 'no' : 'yes' }
}

/** The facts with these names. */
export const factsNamed = (names: readonly string[]): NeededFact[] =>
  names.flatMap((name) => neededFact(name) ?? [])

export const factLabel = (name: FactName): string => texts[name].name

/** Completes "is known", as in "is known to allow pets" and "not to allow smoking". */
export const factPhrase = ({ name, is }: NeededFact): string =>
  `${is === 'no' ? 'not ' : ''}to ${texts[name].does}`

/** The word that stands for a known fact in search documents and queries. */
export const factWord = ({ name, is }: NeededFact): string => `fact${is}${name.replace('_', '')}`

/** The names of the facts that have each value. */
export const factsByValue = (facts: VenueFacts) => {
  const names = (value: 'yes' | 'no' | undefined) => factNames.filter((n) => facts[n] === value)
  return { yes: names('yes'), no: names('no'), unknown: names(undefined) }
}
