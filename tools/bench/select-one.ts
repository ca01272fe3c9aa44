import Fastify from 'fastify'
import pg from 'pg'

// The minimum cost of a search: one Fastify route, one pool of the same size, one trivial query.
const db = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()
app.get('/', async () => (await db.query({ name: 'one', text: 'select 1 as one' })).rows[0])
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
console.log('ready')
