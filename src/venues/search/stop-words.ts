/** Words to ignore, in English and Indonesian. Words of time are read before (visit.ts). */
export const stopWords: readonly string[] = `
  a an and any anyone anything anywhere are around as at available availability away be been best
  better big book booked booking bookings but by can cant cheap affordable budget inexpensive
  expensive pricey luxury luxurious fancy posh trendy hip close closest come could couple decent do
  does each ease enjoy excellent few find finding fine first for friendly from fun get getting give
  go going good got grab great guys has have having hello help here hey hi hidden hit hot i id if
  ill im in into is it its ive just kind kindly know let lets like list little local locals located
  location look looking lot lovely make maybe me mind more most much must my myself near nearby
  nearest need new next nice no not now of off ok okay on one ones only open options or other our
  out over people person place places plan please pls popular possible pretty quiet quick rated
  really recommend recommended recommendation recommendations reservation reservations reserve
  reserved right say see sell serve serves serving service shall should show slot slots so some
  someone something somewhere soon spot spots studio studios such suggest suggestion suggestions
  super sure take tell than thank thanks that the their them then there these they thing things this
  those to today tomorrow tonight too top town try two up us use vacancy very venue venues visit
  vibe vibes want wanna we week weekend well what whats when where which while who whole will with
  within without would year you your yours area areas city island district neighbourhood
  neighborhood centre center downtown middle heart side morning afternoon evening night midnight
  noon later early late hour hours minutes time times date day days guest guests friend friends
  family wife husband girlfriend boyfriend partner kids child children group party solo session time
  oclock ish tourist tourists cool amazing awesome authentic traditional famous favourite favorite
  casual cosy cozy chill clean shop store spotted yang di ke dari dan atau dengan untuk buat pada
  dekat terdekat sekitar daerah kawasan saya aku kami kita mau ingin pengen pingin butuh cari
  carikan mencari tolong mohon bisa boleh dong ya yuk kak mas mbak ada apa mana dimana ini itu nya
  pesan pesankan memesan booking reservasi tempat lokasi terbaik bagus enak enaknya lezat murah
  mahal nyaman sekali banget paling populer terkenal baru buka rekomendasi rekomendasikan jam pukul
  hari minggu besok lusa nanti malam pagi siang sore sekarang orang lagi para satu seorang teman
  keluargaku anak istri suami pacar rombongan kota pulau pusat jalan dong sih deh aja saja kalau
  juga lain semua seluruh beri kasih tahu tampilkan lihat
`
  .split(/\s+/)
  .filter(Boolean)

/** Phrases without meaning whose words would mean something by themselves. */
export const stopPhrases: readonly string[] = `
  near me, close to me, around me, around here, in the area, dekat sini, di dekat saya, dekat saya,
  sekitar sini, all of, anywhere in, as soon as possible, next to
`
  .split(',')
  .map((phrase) => phrase.trim())
