import type { FastifyInstance } from 'fastify'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { guardPages } from '../dashboard/dashboard-door.ts'
import { createCall } from '../dashboard/page.ts'
import { confirmPage } from './confirm.ts'
import { devMailPage } from './dev-mail.ts'
import { forgotPasswordPage } from './forgot-password.ts'
import { joinPage } from './join.ts'
import { resetPasswordPage } from './reset-password.ts'
import { signInPage } from './sign-in.ts'
import { signUpPage } from './sign-up.ts'
import { verifyEmailPage } from './verify-email.ts'

const pages = [
  signUpPage,
  signInPage,
  confirmPage,
  forgotPasswordPage,
  resetPasswordPage,
  verifyEmailPage,
  joinPage,
  devMailPage,
]

/** The pages that start and end sessions. */
export async function accountDoor(scope: FastifyInstance, deps: DoorDeps) {
  guardPages(scope, deps)
  for (const page of pages) await scope.register(page, { ...deps, call: createCall(deps.run) })
}
