const unreadable: ProxyHandler<object> = {
  get(_, key) {
    // Properties that promises and the runtime read on any value.
    if (key === 'then' || typeof key === 'symbol') return undefined
    throw new TypeError('a payload cannot be decoded: it was encoded by something else')
  },
}

/**
 * Stands in for a payload that cannot be decoded. Message checks refuse it; any other use, such as
 * reading an activity's result, fails as if decoding had failed.
 */
export const UNDECODABLE: unknown = new Proxy(Object.freeze({}), unreadable)
