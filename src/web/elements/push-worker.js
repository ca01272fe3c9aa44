// The service worker of people at venues: it shows notices and opens their pages.
addEventListener('push', (event) => {
  const { title, body, language: lang, tag, url } = event.data.json()
  const options = { body, lang, tag, data: { url }, requireInteraction: true }
  event.waitUntil(registration.showNotification(title, options))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(clients.openWindow(event.notification.data.url))
})
