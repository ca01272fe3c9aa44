import type { ClassSession, Rules } from '../../src/availability/rules/rules.ts'
import { withSessions } from '../../src/availability/rules/sessions.ts'
import { uuidOf } from '../../src/platform/database/uuid-of.ts'
import type { NewResource, NewService } from '../../src/venues/store/new-venues.ts'
import type { Draws } from './draws.ts'
import { common, FRIDAY, type Plan, SATURDAY, service, WEEK, weekly } from './parts.ts'

/** A gym's floor, if it has one, and its classes; where they are all, teachers give lessons. */
export function gymOf(plan: Plan, floor?: NewService) {
  const teachers = teachersOf(plan)
  const all = { plan, teachers }
  const starts = plan.draws.pick('times', [
    ['06:30', '08:00', '17:00', '18:30'],
    ['07:00', '09:00', '16:30', '18:00', '19:30'],
    ['08:00', '10:00', '17:30'],
  ])
  const classes = weekOfClasses(all, starts)
  return {
    services: floor ? [floor, ...classes] : [...classes, workshop(all), lesson(plan)],
    resources: teachers,
  }
}

type Staffed = { plan: Plan; teachers: readonly NewResource[] }

const people = ['Putri', 'Made', 'Wayan', 'Ketut', 'Sinta', 'Nyoman', 'Arif']

/** Three teachers, who lead classes and give private lessons. */
function teachersOf({ slug, draws }: Plan): NewResource[] {
  const first = draws.between('teachers', 0, people.length - 1)
  const names = [...people, ...people].slice(first, first + 3)
  return names.map((name) => {
    const id = uuidOf(`${slug}/teacher/${name}`)
    return { id, kind: 'teacher', name, party_min: 1, party_max: 2 }
  })
}

/** A week of classes, one at a time, in turns of kind and teacher. */
function weekOfClasses({ plan, teachers }: Staffed, starts: readonly string[]) {
  const { slug, classes, spend, draws } = plan
  const places = draws.between('places', 8, 24)
  const times = weekly(
    starts.map((start) => [start, start]),
    draws,
  )
  return classes.map(([name, minutes, description], kind) => {
    const sessions = times.flatMap(({ day, open: start }): ClassSession[] => {
      const turn = day + starts.indexOf(start)
      const leader = teachers[(turn + starts.indexOf(start)) % teachers.length]
      const isOurs = turn % classes.length === kind
      return isOurs ? [{ day, start, minutes, places, with: leader?.name }] : []
    })
    const about = { description, price: { amount_minor: spend, per: 'guest' as const } }
    return service(slug, name, 'pooled', [], withSessions(rulesOf(draws, spend, about), sessions))
  })
}

const rulesOf = (draws: Draws, spend: number, { price, ...others }: Partial<Rules>): Rules => ({
  ...common(draws, spend),
  windows: [],
  durations: [],
  grid_minutes: 60,
  party_max: 4,
  kind: 'class',
  leader: 'teacher',
  ...(price && { price: { ...price, taxes: 'included' } }),
  ...others,
})

/** At weekends, when nobody has another class. */
function workshop({ plan: { slug, spend, draws }, teachers: [teacher] }: Staffed) {
  const sessions = [SATURDAY, SATURDAY + 1].map((day) => {
    return { day, start: '12:00', minutes: 120, places: 12, with: teacher?.name }
  })
  const rules = rulesOf(draws, spend, {
    description: 'Two hours on one subject, for all levels.',
    price: { amount_minor: 2 * spend, per: 'guest' },
  })
  return service(slug, 'Weekend workshop', 'pooled', [], withSessions(rules, sessions))
}

/** With a teacher who leads no class then. */
const lesson = ({ slug, spend, draws }: Plan) =>
  service(
    slug,
    'Private lesson',
    'exclusive',
    [],
    rulesOf(draws, spend, {
      description: 'An hour with a teacher, for one or two.',
      price: { amount_minor: 3 * spend, per: 'booking' },
      windows: WEEK.filter((day) => day <= FRIDAY).map((day) => {
        return { day, open: '10:00', close: '14:00' }
      }),
      durations: [{ party_max: 2, minutes: 60 }],
      party_max: 2,
      requires: [{ kind: 'teacher', per: 'party' }],
    }),
  )
