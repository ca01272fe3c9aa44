/** A release in CHANGELOG.md, with the number of entries of each kind, such as `Added`. */
type Section = { title: string; text: string; kinds: { kind: string; entries: number }[] }

/** The section of a version, if the changelog has one. */
export function changelogSection(changelog: string, version: string): Section | undefined {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((one) => one.startsWith(`## [${version}]`))
  if (!section) return undefined
  const [title = '', ...lines] = section.trimEnd().split('\n')
  const text = lines.join('\n').trim()
  const kinds = text.split(/^### /m).slice(1)
  return {
    title,
    text,
    kinds: kinds.map((kind) => ({
      kind: kind.split('\n', 1)[0] ?? '',
      entries: kind.match(/^- /gm)?.length ?? 0,
    })),
  }
}
