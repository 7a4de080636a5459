// In front of the scripts of a preview: nothing in the frame takes the focus from the form beside it, where somebody types.
(() => {
  const { focus } = HTMLElement.prototype;
  const { showModal } = HTMLDialogElement.prototype;
  HTMLElement.prototype.focus = function (how) {
    if (document.hasFocus()) focus.call(this, how);
  };
  HTMLDialogElement.prototype.showModal = function () {
    // A dialog that is inert opens without the focus.
    const inert = !document.hasFocus();
    if (inert) this.inert = true;
    showModal.call(this);
    if (inert) this.inert = false;
  };
})();
