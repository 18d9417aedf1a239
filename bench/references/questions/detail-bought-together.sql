-- The products most often in the same order as this one, in the last twelve months.

with

{{product}},

{{bought_together}}

{{related: boughtTogether | orders}}
