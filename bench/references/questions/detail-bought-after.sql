-- The products most often in the next purchase of the product's buyers, in the last twelve months.

with

{{product}},

{{bought_after}}

{{related: boughtAfter | customers}}
