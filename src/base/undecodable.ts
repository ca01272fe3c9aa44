const unreadable: ProxyHandler<object> = {
  get(_, key) {
    // What a promise and the runtime look at in any value.
    if (key === 'then' || typeof key === 'symbol') return undefined
    throw new TypeError('a payload cannot be decoded: it was encoded by something else')
  },
}

/**
 * What a payload becomes that cannot be decoded. A check of messages refuses it; whoever reads it
 * without one, as the result of an activity, fails as if decoding had failed.
 */
export const UNDECODABLE: unknown = new Proxy(Object.freeze({}), unreadable)
