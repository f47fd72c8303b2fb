// What the page does beside showing rows: it pays orders, and makes new ones.
const table = document.querySelector("cell-table");

async function post(path) {
  const response = await fetch(path, { method: "POST" });
  return response.json();
}

table.addEventListener("cell-action", async ({ detail: { action, id } }) => {
  if (action === "pay") table.update([await post(`/api/orders/${id}/pay`)]);
});

document.getElementById("add").addEventListener("click", async () => {
  await post("/api/orders");
  await table.reload();
  // What was in view has stayed there; the new order is the first.
  scrollTo(0, 0);
});
