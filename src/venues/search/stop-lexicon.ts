const split = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean)

/** Words without which a query says the same: nothing is lost, so nobody is told. */
export const fillers: ReadonlySet<string> = new Set(
  split(`
  a an and any anyone anything anywhere are around as at available availability away be been book
  booked booking bookings but by can could couple do does each ease find finding for from get
  getting give go going got grab guys has have having hello help here hey hi i id if ill im in
  into is it its ive just kind kindly know let lets like list located location look looking make
  maybe me mind much must my myself near nearby need of off ok okay on one ones options or other
  our out over people person place places plan please pls possible really recommend recommended
  recommendation recommendations reservation reservations reserve reserved right say see sell
  serve serves serving service shall should show slot slots so some someone something somewhere
  spot spots such suggest suggestion suggestions super sure take tell than thank thanks that the
  their them then there these they thing things this those to too try two up us use vacancy very
  venue venues visit want wanna we well what whats when where which while who whole will with
  within would you your yours area areas city island district neighbourhood neighborhood guest
  guests group party oclock ish yang di ke dari dan atau dengan untuk buat pada dekat sekitar
  daerah kawasan saya aku kami kita mau ingin pengen pingin butuh cari carikan mencari tolong
  mohon bisa boleh dong ya yuk kak mas mbak ada apa mana dimana ini itu nya pesan pesankan memesan
  reservasi tempat lokasi sekali banget rekomendasi rekomendasikan jam pukul orang para seorang
  kota pulau sih deh aja saja kalau juga beri kasih tahu tampilkan lihat
`),
)

/** Words that a guest may have meant, but that search cannot weigh: they are `dropped`. */
const vague = split(`
  best better big cant cheap affordable budget inexpensive expensive pricey luxury luxurious fancy
  posh trendy hip close closest come decent enjoy excellent few fine first friendly fun good great
  hidden hit hot little local locals lot lovely more most nearest new next nice no not now only
  open popular pretty quiet quick rated soon studio studios today tomorrow tonight top town vibe
  vibes week weekend without year centre center downtown middle heart side morning afternoon
  evening night midnight noon later early late hour hours minutes time times date day days friend
  friends family wife husband girlfriend boyfriend partner kids child children solo session
  tourist tourists cool amazing awesome authentic traditional famous favourite favorite casual
  cosy cozy chill clean shop store spotted terdekat terbaik bagus enak enaknya lezat murah mahal
  nyaman paling populer terkenal baru buka hari minggu besok lusa nanti malam pagi siang sore
  sekarang lagi satu teman keluargaku anak istri suami pacar rombongan pusat jalan lain semua
  seluruh
`)

/** Words to ignore, in English and Indonesian. Words of time are read before (visit.ts). */
export const stopWords: readonly string[] = [...fillers, ...vague]

/** Phrases without meaning whose words would mean something by themselves. */
export const stopPhrases: readonly string[] = `
  near me, close to me, around me, around here, in the area, dekat sini, di dekat saya, dekat saya,
  sekitar sini, all of, anywhere in, as soon as possible, next to
`
  .split(',')
  .map((phrase) => phrase.trim())
