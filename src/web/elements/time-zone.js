// Sends this browser's time zone to the server.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
if (zone) document.cookie = `time_zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax`
