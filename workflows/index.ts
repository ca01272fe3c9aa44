export { booking } from './booking.ts'
export { sweep } from './sweep.ts'
