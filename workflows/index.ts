export { booking } from './booking.ts'
export { mirror } from './mirror.ts'
export { sweep } from './sweep.ts'
