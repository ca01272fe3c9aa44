import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Degrees of longitude and latitude; west < east. */
export type Box = { west: number; south: number; east: number; north: number }

/** A closed line around land or a lake: longitude and latitude in turn. */
export type Ring = { box: Box; degrees: Float32Array }

type Pair = [number, number]
type Topology = {
  transform: { scale: Pair; translate: Pair }
  arcs: Pair[][]
  objects: { land: { geometries: { arcs: number[][][] }[] } }
}

let rings: readonly Ring[] | undefined

/** The coastlines of the world at 1:10 million (Natural Earth, public domain); about 4 MB. */
export function coastlines(): readonly Ring[] {
  const path = fileURLToPath(import.meta.resolve('world-atlas/land-10m.json'))
  rings ??= decode(JSON.parse(readFileSync(path, 'utf8')))
  return rings
}

function decode({ transform: { scale, translate }, arcs, objects }: Topology): Ring[] {
  // TopoJSON 2.1.3: quantised positions, each relative to the one before.
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Pair => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })
  // TopoJSON 2.1.4: a negative index is the arc of its complement, backwards.
  const lineAt = (index: number) => (index < 0 ? lines[~index]?.toReversed() : lines[index]) ?? []
  return objects.land.geometries
    .flatMap((geometry) => geometry.arcs.flat())
    .map((ring) => ringOf(ring.flatMap(lineAt)))
}

function ringOf(points: readonly Pair[]): Ring {
  const box = { west: 180, south: 90, east: -180, north: -90 }
  for (const [longitude, latitude] of points) {
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
    box.south = Math.min(box.south, latitude)
    box.north = Math.max(box.north, latitude)
  }
  return { box, degrees: Float32Array.from(points.flat()) }
}
