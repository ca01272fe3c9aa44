customElements.define('copy-button', class extends HTMLElement {})
