// Behind a proxy that ends TLS the server may not know that the browser came by https.
for (const field of document.querySelectorAll("[data-shingle-scheme]")) field.value = location.protocol;
