/** Your server and the id of your widget. */
export const widget = { baseUrl: "https://quotes.example.com", id: "WIDGET" };
