const NAME = Symbol.for('fastify.display-name')

/**
 * Fastify names a plugin by looking for it in all loaded modules, which takes a third of a second
 * for all doors. A plugin's own name, if it has one, serves as well.
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
