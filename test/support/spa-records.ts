/** A treatment of an import file: its price by length, and perhaps its own hours. */
export type Treatment = {
  name: string
  lengths: Record<number, number>
  hours?: string
  description?: string
}

const treatment = ({ name, lengths, hours = '09:00-20:00', ...others }: Treatment) => ({
  name,
  hours: `Mo-Su ${hours}`,
  strategy: 'exclusive',
  kind: 'treatment',
  leader: 'therapist',
  requires: [{ kind: 'therapist', per: 'guest' }],
  party_max: 2,
  price: { amount_minor: Object.values(lengths)[0], per: 'guest', taxes: 'included' },
  lengths: Object.entries(lengths).map(([minutes, amount_minor]) => ({
    minutes: Number(minutes),
    amount_minor,
  })),
  ...others,
})

/** A spa in Amed whose therapists share its treatments, as an import file has it. */
export const spaRecord = (name: string, treatments: Treatment[], people: string[]) => ({
  id: name,
  name,
  ...{ category: 'spa', latitude: -8.2765, longitude: 115.594, area: 'amed' },
  services: treatments.map(treatment),
  resources: people.map((person) => ({ kind: 'therapist', name: person, party_max: 1 })),
})
