/** Fills in its form with a passkey. Stays hidden in browsers that have none. */
class PasskeyForm extends HTMLElement {
  connectedCallback() {
    if (!globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) return
    this.hidden = false
    const form = this.querySelector('form')
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.sign(form).catch(() => {
        this.querySelector('[role=status]').textContent =
          'That did not work. Try again, or use another way.'
      })
    })
  }

  async sign(form) {
    const answer = await fetch(`${form.action}/options`, {
      method: 'POST',
      body: new URLSearchParams(),
    })
    const json = await answer.json()
    const credential =
      this.dataset.creates !== undefined
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json),
          })
    form.elements.credential.value = JSON.stringify(credential)
    form.submit()
  }
}

customElements.define('passkey-form', PasskeyForm)
