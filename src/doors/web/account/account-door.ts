import type { FastifyInstance } from 'fastify'
import { createCall } from '../dashboard/call-operation.ts'
import { type DashboardDoor, guardPages } from '../dashboard/dashboard-door.ts'
import { devMail } from './dev-mail.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetPasswordRoutes } from './reset-password.ts'
import { signInRoutes } from './sign-in.ts'
import { signOutRoute } from './sign-out.ts'
import { signUpRoutes } from './sign-up.ts'
import { verifyEmailRoutes } from './verify-email.ts'

const pages = [
  signUpRoutes,
  signInRoutes,
  signOutRoute,
  forgotPassword,
  resetPasswordRoutes,
  verifyEmailRoutes,
  devMail,
]

/** The pages that open and end sessions. */
export async function accountDoor(scope: FastifyInstance, { run, ...deps }: DashboardDoor) {
  guardPages(scope, deps)
  for (const page of pages) await scope.register(page, { ...deps, call: createCall(run) })
}
