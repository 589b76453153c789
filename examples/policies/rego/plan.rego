# What the policies read of `terraform show -json`: the resources as they will be.
package stowage.plan

# resources are those of a type that there will be after the apply.
resources(type) := [change |
	some change in input.resource_changes
	change.mode == "managed"
	change.type == type
	change.change.after != null
]

# value is an attribute of such a resource. It is undefined where something of it isn't known before the apply.
value(resource, name) := resource.change.after[name] if not unknown(resource, name)

# unknown holds where something of an attribute isn't known before the apply: Terraform leaves it out of the values.
unknown(resource, name) if {
	walk(resource.change.after_unknown[name], [_, leaf])
	leaf == true
}

# unseen are complaints about attributes of a type that no policy can judge.
unseen(type, name) := {message |
	some resource in resources(type)
	unknown(resource, name)
	message := sprintf("%s: %s isn't known before the apply, so it can't be judged", [resource.address, name])
}
