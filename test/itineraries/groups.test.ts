import { describe, expect, test } from 'vitest'
import {
  type Group,
  type GroupMember,
  groupStatuses,
  groupTransitions,
  isInProgress,
  type MemberStatus,
  nextOf,
} from '../../src/itineraries/rules/groups.ts'

const members = (statuses: MemberStatus[], more: Partial<GroupMember>[] = []): GroupMember[] =>
  statuses.map((status, index) => ({
    position: index + 1,
    status,
    confirmMode: 'auto',
    cancelledBy: null,
    ...more[index],
  }))

const group = (
  status: Group['status'],
  statuses: MemberStatus[],
  more: Partial<Group> & { each?: Partial<GroupMember>[] } = {},
): Group => ({
  kind: status === 'trying' ? 'any_of' : 'itinerary',
  status,
  cancelBy: null,
  isLate: false,
  ...more,
  members: members(statuses, more.each),
})

describe('alternatives', () => {
  test.each<[MemberStatus[], ReturnType<typeof nextOf>]>([
    [['waiting', 'waiting'], { work: [1] }],
    [['pending', 'waiting'], { work: [1] }],
    [['offered', 'waiting'], { work: [1] }],
    [['refused', 'waiting'], { work: [2] }],
    [['declined', 'opening'], { work: [2] }],
    [['expired', 'confirmed'], { to: 'confirmed' }],
    [['confirmed', 'waiting'], { to: 'confirmed' }],
    [['refused', 'failed'], { to: 'failed' }],
  ])('in %j lead to %j', (statuses, next) => {
    expect(nextOf(group('trying', statuses))).toEqual(next)
  })

  test('end when the agent cancels the pending one, and continue when its venue does', () => {
    const by = (cancelledBy: GroupMember['cancelledBy']) =>
      nextOf(group('trying', ['cancelled', 'waiting'], { each: [{ cancelledBy }] }))
    expect(by('agent')).toEqual({ to: 'failed' })
    expect(by('venue')).toEqual({ work: [2] })
  })
})

describe('an itinerary', () => {
  const asks = [{}, { confirmMode: 'http' as const }]

  test('holds its parts one by one, then requests them, then is booked', () => {
    expect(nextOf(group('holding', ['held', 'waiting']))).toEqual({ work: [2] })
    expect(nextOf(group('holding', ['held', 'held']))).toEqual({ to: 'asking' })
    expect(nextOf(group('asking', ['held', 'pending'], { each: asks }))).toEqual({ work: [2] })
    expect(nextOf(group('asking', ['held', 'confirmed'], { each: asks }))).toEqual({
      to: 'confirmed',
    })
  })

  test.each<MemberStatus>(['refused', 'declined', 'expired', 'released', 'cancelled', 'failed'])(
    'of which one part is %s is undone',
    (status) => {
      expect(nextOf(group('holding', ['held', status]))).toEqual({ to: 'undoing' })
      expect(nextOf(group('asking', ['held', status], { each: asks }))).toEqual({ to: 'undoing' })
    },
  )

  test('that is late or unwanted is undone, whatever has been held', () => {
    for (const why of [{ isLate: true }, { cancelBy: 'agent' as const }]) {
      expect(nextOf(group('holding', ['held', 'waiting'], why))).toEqual({ to: 'undoing' })
      expect(nextOf(group('asking', ['held', 'held'], why))).toEqual({ to: 'undoing' })
    }
  })

  test('is undone until no part occupies anything', () => {
    expect(nextOf(group('undoing', ['held', 'confirmed', 'opening', 'refused']))).toEqual({
      work: [1, 2, 3],
    })
    expect(nextOf(group('undoing', ['released', 'waiting']))).toEqual({ to: 'failed' })
    expect(nextOf(group('undoing', ['released'], { cancelBy: 'agent' }))).toEqual({
      to: 'cancelled',
    })
    expect(nextOf(group('cancelling', ['cancelled', 'completed']))).toEqual({ to: 'cancelled' })
  })
})

test('every next status is an allowed transition', () => {
  for (const status of groupStatuses) {
    for (const one of ['waiting', 'held', 'confirmed', 'refused', 'cancelled'] as const) {
      const next = nextOf(group(status, [one, one]))
      if ('to' in next) expect(groupTransitions[status]).toContain(next.to)
      if (!isInProgress(status)) expect(next).toEqual({ work: [] })
    }
  }
})
