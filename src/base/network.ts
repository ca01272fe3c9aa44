/** How the network presents itself: Agent Card (section 2.6) and lists of public agents. */
export const networkProfile = {
  name: 'Venue Network',
  agent: 'service',
  description:
    'An open network where AI agents search restaurants, bars, gyms and spas in Bali and ' +
    'Southeast Asia, see real-time availability and confirm bookings.',
  capabilities: ['booking', 'discovery', 'reminders', 'commerce'],
  protocols: ['a2a', 'x402', 'mcp'],
  /** Capabilities and protocols in the specification that are not yet implemented. */
  planned: { capabilities: ['commerce'], protocols: ['x402'] },
  cardPath: '/.well-known/agent-card.json',
} as const
