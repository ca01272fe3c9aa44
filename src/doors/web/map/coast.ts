import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Degrees of longitude and latitude; west < east. */
export type Box = { west: number; south: number; east: number; north: number }

/** A closed line around land or a lake: longitude and latitude in turn. */
export type Ring = { box: Box; degrees: Float32Array }

type Topology = {
  transform: { scale: [number, number]; translate: [number, number] }
  arcs: [number, number][][]
  objects: { land: { geometries: { arcs: number[][][] }[] } }
}

let rings: readonly Ring[] | undefined

/** All land of the world at 1:10 million (Natural Earth, public domain), read at the first map and kept in about 4 MB. */
export function coastlines(): readonly Ring[] {
  rings ??= decode(
    JSON.parse(
      readFileSync(fileURLToPath(import.meta.resolve('world-atlas/land-10m.json')), 'utf8'),
    ),
  )
  return rings
}

function decode({ transform, arcs, objects }: Topology): Ring[] {
  const lines = arcs.map((arc) => absolute(arc, transform))
  return objects.land.geometries
    .flatMap(({ arcs: polygons }) => polygons.flat())
    .map((ring) => ringOf(ring.map((index) => lineAt(lines, index))))
}

/** TopoJSON 2.1.3: quantised positions, each relative to the one before. */
function absolute(
  arc: readonly [number, number][],
  { scale, translate }: Topology['transform'],
): Float32Array {
  const line = new Float32Array(arc.length * 2)
  let x = 0
  let y = 0
  arc.forEach(([dx, dy], index) => {
    x += dx
    y += dy
    line[index * 2] = x * scale[0] + translate[0]
    line[index * 2 + 1] = y * scale[1] + translate[1]
  })
  return line
}

/** TopoJSON 2.1.4: a negative index is the arc of its complement, backwards. */
function lineAt(lines: readonly Float32Array[], index: number): Float32Array {
  const line = lines[index < 0 ? ~index : index] ?? new Float32Array()
  if (index >= 0) return line
  const back = new Float32Array(line.length)
  for (let at = 0; at < line.length; at += 2) {
    back[at] = line[line.length - 2 - at] ?? 0
    back[at + 1] = line[line.length - 1 - at] ?? 0
  }
  return back
}

function ringOf(lines: readonly Float32Array[]): Ring {
  const degrees = new Float32Array(lines.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const line of lines) {
    degrees.set(line, end)
    end += line.length
  }
  const box = { west: 180, south: 90, east: -180, north: -90 }
  for (let at = 0; at < degrees.length; at += 2) {
    const longitude = degrees[at] ?? 0
    const latitude = degrees[at + 1] ?? 0
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
    box.south = Math.min(box.south, latitude)
    box.north = Math.max(box.north, latitude)
  }
  return { box, degrees }
}
