const NAME = Symbol.for('fastify.display-name')

/**
 * Fastify names a plugin by looking for it in all modules that are loaded, which takes a third of
 * a second for all doors. Its own name does as well, if it has one.
 */
Object.defineProperty(Function.prototype, NAME, {
  configurable: true,
  get(this: { name: string }) {
    return this.name || 'nameless'
  },
  set(this: object, value: string) {
    Object.defineProperty(this, NAME, { value, configurable: true, writable: true })
  },
})

export {}
